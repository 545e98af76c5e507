import { openBrowser, Perigee, ScriptedModel, signIn, until } from './harness.mjs'
const model = await ScriptedModel.start(); const perigee = await Perigee.start({ config: model.config }); const browser = await openBrowser()
const cdp = await browser.newBrowserCDPSession()
const cpu = async () => { const out = {}; for (const p of (await cdp.send('SystemInfo.getProcessInfo')).processInfo) out[p.type] = (out[p.type] ?? 0) + p.cpuTime; return out }
const { page, context } = await signIn(browser, perigee, { viewport: { width: 1280, height: 800 }, reducedMotion: 'no-preference' })
await page.evaluate(() => (location.hash = '#/luna'))
await page.locator('[data-avatar=shown]').first().waitFor()
const canvas = page.locator('[data-avatar] canvas').first()
if (process.argv[2] === 'h') await page.keyboard.press('h')
const ask = () => canvas.evaluate((canvas) => { const detail = {}; canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail })); return { frame: detail.answer.drawn.frame, q: detail.answer.quality } })
let [last, was, t] = [await ask(), await cpu(), Date.now()]
for (let i = 0; i < 12; i++) {
  await page.waitForTimeout(2500)
  const [now, is, u] = [await ask(), await cpu(), Date.now()]
  const s = (u - t) / 1000
  console.log(now.q?.name, now.q?.pixelRatio, now.q?.fps, 'drawn/s', ((now.frame - last.frame) / s).toFixed(1), 'GPU', (100 * (is.GPU - was.GPU) / s).toFixed(0), 'renderer', (100 * (is.renderer - was.renderer) / s).toFixed(0), 'browser', (100 * (is.browser - was.browser) / s).toFixed(0), 'cpu/frame', (1000*(is.GPU-was.GPU)/(now.frame-last.frame)).toFixed(0))
  ;[last, was, t] = [now, is, u]
}
await browser.close(); await perigee.stop(); model.stop()
