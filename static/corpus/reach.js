// Which kinds of question reach a document, as its authority and content type are chosen. The table on the page knows.

/** Keep the line above the table in step with the form's two fields. */
export function showReach(reach) {
  const form = reach.closest("form");
  const authority = form?.elements.namedItem("authority");
  const contentType = form?.elements.namedItem("content_type");
  if (!authority || !contentType) return;
  const tell = () => {
    reach.querySelector("[data-chosen]")?.removeAttribute("data-chosen");
    const cell = [...reach.querySelectorAll("td")].find(
      (each) => each.dataset.authority === authority.value && each.dataset.contentType === contentType.value,
    );
    cell?.setAttribute("data-chosen", "");
    const words = cell ? cell.textContent || "No kind of question." : "Choose authority and content type to see it.";
    reach.querySelector("[data-reach-chosen]").textContent = cell ? `Reached by: ${words}` : words;
  };
  authority.addEventListener("change", tell);
  contentType.addEventListener("change", tell);
  tell();
}
