const raised = new Set<string>()

/** Returns the state of the permission to show notifications, or `missing` if the browser has none. */
export function notificationPermission(): NotificationPermission | 'missing' {
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission
}

/** Shows a system notification if the page is hidden and the user has permitted it, once for each id. */
export function showDesktopNotification(id: string, title: string, text: string): void {
  if (document.visibilityState !== 'hidden' || notificationPermission() !== 'granted' || raised.has(id)) return
  raised.add(id)
  try {
    const notification = new Notification(title, { body: text, tag: id, icon: '/icon-192.png' })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Phones allow this only from a service worker. The text is in the conversation as well.
  }
}
