// Runs before the first paint; src/app/appearance.ts, src/i18n/language.ts and src/app/session.ts write what is read here.
{
  const { documentElement } = document
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
    // a storage that is closed or holds something else: the system's preference applies
  }
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  const spoken = languages.includes(chosen) ? chosen : (preferred.find((tag) => languages.includes(tag)) ?? 'en')
  documentElement.lang = spoken
  // The rendered landing page is not for members, nor for those who read the other language.
  const { page, code } = documentElement.dataset
  const hold = page === 'landing' && (member || spoken !== served)
  if (hold) documentElement.dataset.hold = ''
  // On the landing page the application waits until the page stands; for who must not see it, it is fetched at once,
  // and starts when the document is there.
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
