/** In this version of Chromium, each browser of a journey costs a second of work for these alone. */
const unwanted = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** What Playwright switches off by itself: a second list takes the place of the first. */
const usuallyUnwanted = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** The machine's own Chromium, told not to call home. */
const args = [
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...unwanted, ...usuallyUnwanted].join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** How a browser is started: this program, or else the machine's Chromium. */
export const launch = (program: string | undefined) => ({
  executablePath: program ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args,
})
