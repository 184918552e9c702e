/** --card of light.css and dark.css, as index.html has them: the colour of what the system draws around the page. */
const colors: Record<string, string> = { light: '#fdfefe', dark: '#121f23' }

function show(): void {
  const chosen = document.documentElement.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const system = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = colors[chosen ?? system] ?? meta.content
  }
}

/** A theme that was chosen counts, whatever the system prefers. */
export function followThemeColor(): void {
  show()
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ['data-theme'] })
}
