import './design/index.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { useStore } from '@/store'
import { boot } from '@/store/boot'
import { registerServiceWorker } from '@/sw/page'
import { App } from './App'

// Dialogs lock the page's scrolling with a style element; this nonce makes the content security policy admit
// it.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '')

registerServiceWorker()
useStore.getState().watchInstalling()
boot()
createRoot(document.getElementById('root') as HTMLElement).render(<App />)
