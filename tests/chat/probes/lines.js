// The characters of each full line of the longest paragraph of an answer.
() => {
  const paragraphs = [...document.querySelectorAll(".answer p")];
  const longest = paragraphs.sort((a, b) => b.textContent.length - a.textContent.length)[0];
  const lines = new Map();
  const walker = document.createTreeWalker(longest, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest("button")) continue;
    for (let at = 0; at < data.length; at += 1) {
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const bottom = Math.round(range.getBoundingClientRect().bottom / 10);
      lines.set(bottom, (lines.get(bottom) ?? 0) + 1);
    }
  }
  return [...lines.values()].slice(0, -1);
}
