import { Vector3 } from 'three'
import { Body } from '@/avatar/body'
import { Stage } from '@/avatar/stage'

/** Draws a body once, standing at ease in the light in which she lives, and lets go of everything that this took. */
export async function portrait(bytes: ArrayBuffer, width: number, height: number): Promise<Blob> {
  const body = await Body.read(bytes)
  const canvas = document.createElement('canvas')
  const stage = Stage.open(canvas)
  try {
    if (!stage) throw new Error('There is nothing to draw with.')
    const density = window.devicePixelRatio || 1
    stage.setFraming('bust', true)
    stage.setSize(width / density, height / density)
    stage.show(body.vrm.scene, body.measures)
    stage.draw(0, new Vector3(), 0)
    // What is drawn stands on the canvas until this turn ends: it is taken within it.
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
