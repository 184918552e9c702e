/** Features of this version of Chromium that cost each browser of a journey a second of work. */
const unwanted = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** Features that Playwright disables by default: our list replaces Playwright's. */
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

/** Arguments for the machine's own Chromium, which must contact no external server. */
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

/** Options that launch a browser: this program, or else the machine's Chromium. */
export const launch = (program: string | undefined) => ({
  executablePath: program ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args,
})
