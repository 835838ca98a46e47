// What is pressed, with the size that a finger finds: its box, or the larger one that it spreads behind itself.
() => [...document.querySelectorAll("button, a, input, textarea, summary")]
  .filter((element) => element.checkVisibility() && !element.closest(".unseen, .skip, .answer p a"))
  .map((element) => {
    const { width, height } = element.getBoundingClientRect();
    const behind = getComputedStyle(element, "::after");
    const spread = behind.position === "absolute" ? [parseFloat(behind.width), parseFloat(behind.height)] : [0, 0];
    const name = element.textContent.trim() || element.id;
    return { name, width: Math.max(width, spread[0]), height: Math.max(height, spread[1]) };
  })
