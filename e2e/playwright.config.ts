import { defineConfig } from '@playwright/test'
import { launch } from './support/servers/browsers.ts'

/** Needs features that the headless shell lacks. */
const ownBrowser = '**/notifications/{browserNotifications,push}.spec.ts'

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './globalSetup.ts',
  outputDir: '../.cache/journeys',
  fullyParallel: true,
  // One more than the processors of the target machine, because journeys also wait, for polls and for retried
  // assertions.
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A machine with other load occasionally loses a click. Tests that passed only on a retry are listed at the end.
  retries: 2,
  use: {
    browserName: 'chromium',
    launchOptions: launch(process.env.HEADLESS_SHELL_PATH),
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 15_000,
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  projects: [
    // First, and in sequence: they start a larger browser, for which the other journeys would wait at the end.
    { name: 'chromium', testMatch: ownBrowser, fullyParallel: false },
    { name: 'journeys', testIgnore: ownBrowser },
  ],
})
