// What stands in the page beside its own elements: anything that a text has made.
() => {
  const allowed =
    "html head meta title link script body a header button img span h1 nav form label input h2 h3 ul li p div time main " +
    "section article noscript textarea dialog br em strong s code pre blockquote ol h4 h5 h6 hr table thead tbody tr th td mark";
  const names = new Set(allowed.split(" "));
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    if (!names.has(name) || element.namespaceURI !== "http://www.w3.org/1999/xhtml") found.push(`element ${name}`);
    for (const { name: attribute, value } of element.attributes) {
      if (/^on|^style$|^srcdoc$|^srcset$|^formaction$/i.test(attribute)) found.push(`${name} ${attribute}`);
      const leads = /^(href|src|action|data)$/i.test(attribute);
      if (leads && !/^(https?:|[/#])/i.test(value)) found.push(`${name} ${attribute}=${value}`);
    }
  }
  const scripts = [...document.scripts].filter(({ src }) => !/\/static\/chat\/page(\.\w+)?\.js$/.test(src));
  const images = [...document.images].filter(({ src }) => !/\/static\/chat\/mark(\.\w+)?\.svg$/.test(src));
  return [...found, ...scripts.map(() => "a script"), ...images.map(({ src }) => `image ${src}`)];
}
