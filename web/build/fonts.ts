import type { Plugin } from 'vite'

/**
 * KaTeX names three formats of every font; each browser that runs this app reads woff2, so the others
 * would only make the program larger.
 */
export function onlyWoff2(): Plugin {
  return {
    name: 'perigee-only-woff2',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('katex') || !id.split('?')[0]?.endsWith('.css')) return null
      return code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[^"]*"\)/g, '')
    },
  }
}

/** The fonts of the first screen start loading with the page, so that text does not change its shape. */
export function preloadFonts(names: RegExp): Plugin {
  return {
    name: 'perigee-preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        return Object.keys(context.bundle ?? {})
          .filter((file) => names.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
