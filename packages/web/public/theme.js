// Runs before the first paint; src/core/theme.ts writes what is read here.
try {
  const kept = JSON.parse(localStorage.getItem('privity.appearance') ?? '{}')
  for (const name of ['theme', 'density', 'text', 'motion']) {
    if (typeof kept[name] === 'string') document.documentElement.dataset[name] = kept[name]
  }
} catch {
  // a storage that is closed or holds something else: the system's preference applies
}
