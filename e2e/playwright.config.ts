import { defineConfig } from '@playwright/test'

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

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './globalSetup.ts',
  outputDir: '../.cache/journeys',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A machine that is busy with something else loses a click now and then; what needs it is named at the end.
  retries: 1,
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args },
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 15_000,
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
})
