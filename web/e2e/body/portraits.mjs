// Pictures of the avatar's face, compared pixel by pixel in the page that draws them.

/**
 * Sets and draws each preset, and returns its morph weights and measurements of its picture: the box of all
 * pixels that differ from the first picture, the centre of the dark pixels in the eyes, and the number of
 * pixels by which it differs from each of the others.
 */
export const portraits = (canvas, presets) =>
  canvas.evaluate((canvas, [presets, lids]) => {
    const flat = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true })
    const taken = presets.map((face) => {
      const detail = { face, draw: true }
      canvas.dispatchEvent(new CustomEvent('perigee:probe', { detail }))
      flat.fillRect(0, 0, canvas.width, canvas.height)
      flat.drawImage(canvas, 0, 0)
      return { face, morphs: detail.answer.morphs, pixels: flat.getImageData(0, 0, canvas.width, canvas.height).data }
    })
    const changed = (one, other) => {
      const box = { count: 0, left: Infinity, right: -1, top: Infinity, bottom: -1 }
      for (let i = 0; i < one.length; i += 4) {
        if (Math.abs(one[i] - other[i]) + Math.abs(one[i + 1] - other[i + 1]) + Math.abs(one[i + 2] - other[i + 2]) < 60) continue
        const [x, y] = [(i / 4) % canvas.width, Math.floor(i / 4 / canvas.width)]
        box.count += 1
        Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y), bottom: Math.max(box.bottom, y) })
      }
      return box
    }
    const first = taken[0].pixels
    const boxes = taken.map(({ pixels }) => changed(pixels, first))
    const eyes = lids.map((lid) => boxes[presets.indexOf(lid)])
    /**
     * Returns the centre of the dark pixels of the eyes: the same part of an eye is dark in each picture,
     * only its position changes.
     */
    const dark = (pixels) => {
      const sum = { x: 0, y: 0, count: 0 }
      for (const { left, right, top, bottom } of eyes)
        for (let y = top; y <= bottom; y++)
          for (let x = left; x <= right; x++) {
            const i = (y * canvas.width + x) * 4
            if (pixels[i] + pixels[i + 1] > 200) continue
            Object.assign(sum, { x: sum.x + x, y: sum.y + y, count: sum.count + 1 })
          }
      return { x: sum.x / sum.count, y: sum.y / sum.count }
    }
    return Object.fromEntries(
      taken.map(({ face, morphs, pixels }, index) => {
        const apart = taken.map((other) => changed(pixels, other.pixels).count)
        return [face, { morphs, box: boxes[index], dark: dark(pixels), apart }]
      }),
    )
  }, [presets, ['blinkLeft', 'blinkRight']])
