/** How the product looks on this device; what is absent follows the system or the default. */
interface Appearance {
  theme?: 'light' | 'dark'
  density?: 'comfortable' | 'compact'
  text?: 'small' | 'medium' | 'large'
  motion?: 'on' | 'off'
}

/** public/theme.js reads the same key before the first paint. */
const key = 'privity.appearance'

/** Another tab's change applies here at once. */
export function followAppearance(): void {
  addEventListener('storage', (event) => {
    if (event.key === key) show(read(event.newValue))
  })
}

function read(text: string | null): Appearance {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Appearance
  } catch {
    return {}
  }
}

function show(appearance: Appearance): void {
  for (const name of ['theme', 'density', 'text', 'motion'] as const) {
    const value = appearance[name]
    if (typeof value === 'string') document.documentElement.dataset[name] = value
    else delete document.documentElement.dataset[name]
  }
}
