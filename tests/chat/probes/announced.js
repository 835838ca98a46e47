// Everything that any live region says goes into `announced`, in order.
window.announced = [];
const regions = "[role=status], [role=alert], [aria-live]";
new MutationObserver((changes) => {
  const said = new Set();
  for (const { target } of changes) {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(regions);
    if (region && !region.hidden && region.textContent.trim()) said.add(region);
  }
  for (const region of said) window.announced.push(region.textContent.trim());
}).observe(document, {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ["hidden"],
});
