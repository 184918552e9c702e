import { defineConfig } from '@playwright/test'
import { launch } from './support/servers/browsers.ts'

/** Needs what the headless shell has not. */
const ownBrowser = '**/browserNotifications.spec.ts'

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './globalSetup.ts',
  outputDir: '../.cache/journeys',
  fullyParallel: true,
  // One more than the processors of the machine these are meant for: journeys also wait, for polls and the next look.
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A machine that is busy with something else loses a click now and then; what needs it is named at the end.
  retries: 1,
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
    // First, and one after the other: they start a larger browser, for which the others would wait at the end.
    { name: 'chromium', testMatch: ownBrowser, fullyParallel: false },
    { name: 'journeys', testIgnore: ownBrowser },
  ],
})
