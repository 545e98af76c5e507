const raised = new Set<string>()

/** Whether this browser lets a page call, and whether that was decided. */
export function callPermission(): NotificationPermission | 'missing' {
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission
}

/** Calls to a person who looks elsewhere, once for each id, where they permitted that. */
export function raise(id: string, title: string, text: string): void {
  if (document.visibilityState !== 'hidden' || callPermission() !== 'granted' || raised.has(id)) return
  raised.add(id)
  try {
    const notification = new Notification(title, { body: text, tag: id, icon: '/icon-192.png' })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Phones let only a service worker do this. What it says stands in the conversation.
  }
}
