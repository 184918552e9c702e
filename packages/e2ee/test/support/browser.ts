import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { build } from 'vite'

const html = '<!doctype html><title>e2ee</title><input type="file"><script type="module" src="/page.js"></script>'

/** Bundles `entry` for a browser: minified ES modules by their address, built in memory. */
export async function bundle(entry: URL): Promise<Map<string, string | Uint8Array>> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', entry)),
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: fileURLToPath(entry), output: { entryFileNames: 'page.js' } },
    },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return new Map(outputs.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]))
}

/** On a free port of this machine: WebCrypto wants a secure origin. */
async function serve(assets: ReadonlyMap<string, string | Uint8Array>) {
  const server = createServer((request, response) => {
    const asset = assets.get(request.url ?? '')
    response.setHeader('content-type', asset === undefined ? 'text/html' : 'text/javascript')
    // An isolated page gets a clock of 5 microseconds instead of 100.
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    response.end(asset ?? html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() }
}

/** Runs `work` on a page of the machine's Chromium that has loaded `entry`, which sets `globalThis.ready`. */
export async function withPage<T>(entry: URL, work: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const server = await serve(await bundle(entry))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(server.url)
    await page.waitForFunction(() => 'ready' in globalThis)
    return await work(page, browser)
  } finally {
    await browser.close()
    server.close()
  }
}
