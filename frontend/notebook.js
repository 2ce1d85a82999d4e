/** The widget of a notebook that shows the page of a run in a frame. */

/** @typedef {{get(key: "page" | "query"): string, get(key: "height"): number, on(event: string, act: () => void): void}} Model */

/** @param {{model: Model, el: HTMLElement}} cell */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Hometown";
  frame.style.cssText = "border: 0; width: 100%";
  const resize = () => (frame.style.height = `${model.get("height")}px`);
  const fill = () => {
    const inner = /** @type {Window} */ (frame.contentWindow);
    inner.document.open(); // the frame takes the notebook's address, so that the page can have parameters
    inner.history.replaceState(null, "", model.get("query") || "?");
    inner.document.write(model.get("page"));
    inner.document.close();
  };
  el.append(frame);
  resize();
  requestAnimationFrame(fill); // once the frame is in the document
  model.on("change:height", resize);
  model.on("change:page", fill);
  model.on("change:query", fill);
}

export default { render };
