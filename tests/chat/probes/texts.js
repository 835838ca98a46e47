// Each text that is seen, with its size in CSS pixels and its contrast against the grounds below it.
() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const colour = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, index) => value * a + below[index] * (1 - a));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = colour(getComputedStyle(element).backgroundColor);
    if (own.length < 4) return own;
    return over(own, ground(element.parentElement));
  };
  const seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const unseen = !element.checkVisibility() || style.clipPath !== "none" || element.closest(".unseen, .skip, noscript");
    if (unseen || !walker.currentNode.data.trim()) continue;
    const below = ground(element);
    const [one, other] = [light(over(colour(style.color), below)), light(below)].sort((a, b) => b - a);
    seen.push({
      text: walker.currentNode.data.trim().slice(0, 40),
      size: parseFloat(style.fontSize),
      contrast: (one + 0.05) / (other + 0.05),
    });
  }
  return seen;
}
