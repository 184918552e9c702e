// Runs before the first paint. Keys are written by src/app/appearance.ts, src/i18n/language.ts and src/app/session.ts.
{
  const { documentElement } = document
  // A copy of packages/contract/src/languages.ts, compared by a test: this file is served as it stands.
  const languages = ['en', 'de']
  const served = documentElement.lang
  let chosen
  let member = false
  try {
    const asked = new URLSearchParams(location.search).get('language')
    if (languages.includes(asked)) localStorage.setItem('privity.language', asked)
    chosen = localStorage.getItem('privity.language')
    member = localStorage.getItem('privity.member') !== null
    const kept = JSON.parse(localStorage.getItem('privity.appearance') ?? '{}')
    for (const name of ['theme', 'density', 'text', 'motion']) {
      if (typeof kept[name] === 'string') documentElement.dataset[name] = kept[name]
    }
  } catch {
    // Storage is blocked or holds invalid data: the system's preference applies.
  }
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  const spoken = languages.includes(chosen) ? chosen : (preferred.find((tag) => languages.includes(tag)) ?? 'en')
  documentElement.lang = spoken
  // Hide the prerendered landing page from members and from readers of another language.
  const { page, code } = documentElement.dataset
  const hold = page === 'landing' && (member || spoken !== served)
  if (hold) documentElement.dataset.hold = ''
  // If the landing page is shown, the application loads after the page, so it does not delay the first paint. If the
  // landing page is hidden, the code is fetched immediately and starts once the document is parsed.
  if (code) {
    const [entry, ...rest] = code.split(' ')
    const fetchAll = () => {
      for (const href of [entry, ...rest]) {
        const link = document.createElement('link')
        link.rel = 'modulepreload'
        link.href = href
        document.head.append(link)
      }
    }
    const start = () => void import(entry)
    if (hold) {
      fetchAll()
      addEventListener('DOMContentLoaded', start, { once: true })
    } else {
      addEventListener('load', () => (fetchAll(), start()), { once: true })
    }
  }
}
