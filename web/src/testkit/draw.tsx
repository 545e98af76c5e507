import './browser'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { TooltipProvider } from '@/design/Tooltip'

let root: Root | null = null

/** Renders this into the page, in place of what was there before. */
export async function draw(content: ReactNode): Promise<HTMLElement> {
  await clear()
  const host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  await act(async () => root?.render(<TooltipProvider>{content}</TooltipProvider>))
  return host
}

/** Removes everything rendered from the page. */
export async function clear(): Promise<void> {
  await act(async () => root?.unmount())
  root = null
  document.body.replaceChildren()
}

export function button(name: string, within: ParentNode = document): HTMLButtonElement | undefined {
  return [...within.querySelectorAll('button')].find((found) => (found.getAttribute('aria-label') ?? found.textContent) === name)
}

export async function press(name: string, within: ParentNode = document): Promise<void> {
  const found = button(name, within)
  if (!found) throw new Error(`there is no button “${name}”`)
  await act(async () => found.click())
}
