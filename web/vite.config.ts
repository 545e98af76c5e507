import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { onlyWoff2, preloadFonts } from './build/fonts.ts'
import { precompress } from './build/precompress.ts'
import { serviceWorker } from './build/serviceWorker.ts'

/** The fonts of the first screen. */
const FIRST_FONTS = /(?:geist-latin-wght-normal|fraunces-latin-full-normal)[^/]*\.woff2$/

/** Where `npm run dev` finds a running Perigee. */
const server = process.env['PERIGEE_ADDRESS'] ?? 'http://127.0.0.1:8899'

const proxied = {
  target: server,
  changeOrigin: true,
  // The server takes unsafe requests from its own origin only.
  headers: { origin: server },
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    onlyWoff2(),
    preloadFonts(FIRST_FONTS),
    // Who comes while the server is away stands before the login, which says so.
    serviceWorker({ parts: /\/login\/LoginPage\.tsx$/, fonts: FIRST_FONTS }),
    precompress(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: ['chrome123', 'firefox124', 'safari17.5'],
    // The content security policy has no `data:` for fonts or styles.
    assetsInlineLimit: 0,
    // Polyfill code would be an inline script.
    modulePreload: { polyfill: false },
    // The finer coast of the map, which is fetched when somebody looks closely.
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: { '/api': proxied, '/v1': proxied, '/avatar.vrm': proxied, '/ws': { ...proxied, ws: true } },
  },
  test: {
    environment: 'jsdom',
    // Every file has a page and modules of its own, as in any pool, but jsdom itself is loaded once for all of them.
    pool: 'vmThreads',
    maxWorkers: '100%',
    setupFiles: ['src/testkit/streams.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Modules of files that are done stay in memory, so that a worker is changed for a new one before it only collects garbage.
    vmMemoryLimit: '500MB',
    // Machines that build at the same time are slow, some of them twenty times; no test waits for time to pass.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
