import createDOMPurify from 'dompurify'

const purify = createDOMPurify(window)
const colours = createDOMPurify(window)

const TAGS = [
  'a', 'abbr', 'b', 'bdi', 'bdo', 'blockquote', 'br', 'caption', 'cite', 'code', 'dd', 'del', 'details', 'dl', 'dt',
  'em', 'figcaption', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'input', 'ins', 'kbd', 'li', 'mark',
  'ol', 'p', 'pre', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'summary', 'sup', 'table',
  'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'u', 'ul', 'var', 'wbr',
]
const ATTRIBUTES = ['align', 'checked', 'class', 'colspan', 'dir', 'disabled', 'href', 'lang', 'open', 'rowspan', 'start', 'title', 'type']

export const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i

purify.addHook('uponSanitizeAttribute', (element, data) => {
  // The only class allowed is the language of a code block: any other could make text look like part of the
  // app.
  if (data.attrName === 'class') {
    data.keepAttr = element.tagName === 'CODE' && /^language-[\w+#.-]+$/.test(data.attrValue)
  }
  if (data.attrName === 'href') data.keepAttr = SAFE_LINK.test(data.attrValue.trim())
})

purify.addHook('uponSanitizeElement', (node) => {
  if (node instanceof Element && node.tagName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove()
})

colours.addHook('uponSanitizeAttribute', (_element, data) => {
  data.keepAttr = data.attrValue.split(' ').every((name) => name.startsWith('hljs-') || name.endsWith('_'))
})

/** Returns the harmless part of some HTML, as detached nodes. */
export function sanitise(html: string): DocumentFragment {
  return purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: SAFE_LINK,
    // The sanitiser treats every other value as a possible address.
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href'),
    RETURN_DOM_FRAGMENT: true,
  })
}

/** Sanitises highlighted code: only spans with class names remain. */
export function sanitiseColours(html: string): string {
  return colours.sanitize(html, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] })
}
