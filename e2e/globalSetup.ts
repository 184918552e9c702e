// Playwright wants a default export.
export { prepare as default } from './support/servers/prepared.ts'
