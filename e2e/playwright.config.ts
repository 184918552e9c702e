import { defineConfig } from '@playwright/test'

/** The machine's own Chromium, told not to call home. */
const args = [
  '--disable-background-networking',
  '--disable-component-update',
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
  timeout: 60_000,
  expect: { timeout: 10_000 },
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
