import { Vector3 } from 'three'
import { Body } from '@/avatar/body'
import { AvatarRenderer } from '@/avatar/renderer'

/** Draws an avatar once, at rest in its usual light, and releases all resources afterwards. */
export async function portrait(bytes: ArrayBuffer, width: number, height: number): Promise<Blob> {
  const body = await Body.read(bytes)
  const canvas = document.createElement('canvas')
  const stage = AvatarRenderer.open(canvas)
  try {
    if (!stage) throw new Error('There is nothing to draw with.')
    const density = window.devicePixelRatio || 1
    stage.setFraming('bust', true)
    stage.setSize(width / density, height / density)
    stage.show(body.vrm.scene, body.measures)
    stage.draw(0, new Vector3(), 0)
    // The drawing stays on the canvas only until the current task ends, so it must be captured within it.
    return await picture(canvas)
  } finally {
    body.dispose()
    stage?.dispose()
  }
}

function picture(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas gives no picture.'))), 'image/png')
  })
}
