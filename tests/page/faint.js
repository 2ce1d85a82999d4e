() => {
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map(); // to read a canvas is slow
  const parts = (colour) => {
    if (!known.has(colour)) known.set(colour, read(colour));
    return known.get(colour);
  };
  const read = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
  // WCAG 2.2: relative luminance, and the ratio of two of them.
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const seen = node.data.trim() && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!seen || element.closest(":disabled, [inert], script, style, template, option, svg [aria-hidden]")) continue;
    const grounds = [];
    let opacity = 1;
    let pictured = false; // what lies on a picture cannot be told
    for (let one = element; one && grounds.at(-1)?.[3] !== 1; one = one.parentElement) {
      const style = getComputedStyle(one);
      opacity *= Number(style.opacity);
      pictured ||= style.backgroundImage !== "none";
      grounds.push(parts(style.backgroundColor));
    }
    if (pictured) continue;
    const ground = grounds.reverse().reduce((below, one) => over(one, below), [255, 255, 255, 1]);
    const { color, fill, fontSize, fontWeight } = getComputedStyle(element);
    const ink = parts(element instanceof SVGElement ? fill : color);
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    const contrast = ratio(over([...ink.slice(0, 3), ink[3] * opacity], ground), ground);
    if (contrast < (large ? 3 : 4.5)) faint.push([node.data.trim().slice(0, 40), element.className || element.tagName, Math.round(contrast * 100) / 100]);
  }
  return faint;
}
