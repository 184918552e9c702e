/** Browsers of other makers name Chrome and Safari too, so the more specific names come first. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+( Mobile\/\w+)? Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (names: [RegExp, string][], text: string) => names.find(([form]) => form.test(text))?.[1]

/** On other systems, browsers of the same engine call themselves Safari without being it. */
const hasSafari = (system: string | undefined) => system === 'macOS' || system === 'iOS'

/** Describes a User-Agent for the list of sessions: "Firefox on Linux". */
export function describeBrowser(userAgent: string | undefined): string {
  const system = first(systems, userAgent ?? '')
  const named = first(browsers, userAgent ?? '')
  const browser = named === 'Safari' && !hasSafari(system) ? undefined : named
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}
