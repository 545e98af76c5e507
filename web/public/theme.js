// Runs before the first paint, so that a chosen theme or text size never flashes the other one.
try {
  const page = document.documentElement.dataset
  const theme = localStorage.getItem('perigee.theme')
  if (theme === 'dark' || theme === 'light') page.theme = theme
  const size = localStorage.getItem('perigee.text-size')
  if (size === 'small' || size === 'large' || size === 'larger') page.text = size
} catch {
  // Storage may be switched off: the system's theme is used.
}
