/** --card of palette.css, repeated in index.html: the colour of the browser's interface. */
const colors: Record<string, string> = { light: '#fdfefe', dark: '#121f23' }

function show(): void {
  const chosen = document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const system = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = colors[chosen ?? system] ?? meta.content
  }
}

/** Keeps the theme-color meta elements in step with the theme. A chosen theme overrides the system's. */
export function followThemeColor(): void {
  show()
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ['data-theme'] })
}
