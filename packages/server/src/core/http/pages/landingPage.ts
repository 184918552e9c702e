import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultLanguage, durationWords, type Language, languages } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import type { Config } from '../../config/types.ts'

const isLanguage = (value: unknown): value is Language => (languages as readonly unknown[]).includes(value)

/** The language of the link (?language=de), else the one that the browser prefers among those available. */
function languageOf({ query, headers }: FastifyRequest): Language {
  const { language } = query as { language?: unknown }
  if (isLanguage(language)) return language
  const preferred = (headers['accept-language'] ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', q] = part.trim().split(/\s*;\s*q=/)
      return { tag: tag.slice(0, 2).toLowerCase(), weight: q === undefined ? 1 : Number(q) }
    })
    .filter(({ tag, weight }) => isLanguage(tag) && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.tag
  return isLanguage(preferred) ? preferred : defaultLanguage
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Tags for the landing page that need the server's public address. */
function addressTags(origin: string, language: Language): string {
  const address = (each: Language) =>
    escapeHtml(each === defaultLanguage ? `${origin}/` : `${origin}/?language=${each}`)
  return [
    `<link rel="canonical" href="${address(language)}" />`,
    ...languages.map((each) => `<link rel="alternate" hreflang="${each}" href="${address(each)}" />`),
    `<meta property="og:url" content="${address(language)}" />`,
  ].join('\n    ')
}

/**
 * The build writes the product's message lifetime into its pages. A server with a shorter one replaces it by its own,
 * in words and, for the texts of the web client, in milliseconds.
 */
function withRetention(html: string, retention: number, language: Language): string {
  if (retention === limits.retention) return html
  return html
    .replace('<html ', `<html data-retention="${retention}" `)
    .replaceAll(durationWords(limits.retention, language), durationWords(retention, language))
}

interface Page {
  builtAt: number
  html: Buffer
  gzipped: Buffer
  etag: string
}

type PageConfig = Pick<Config, 'webDir' | 'publicUrl' | 'retention'>

/**
 * Serves the pages of the built web client that depend on the configuration. Each function returns whether it sent its
 * page: a client that is not built has none.
 */
export function createPages({ webDir, publicUrl, retention }: PageConfig) {
  const pages = new Map<string, Page>()

  function load(file: string, compose: (built: string) => string): Page | undefined {
    const path = join(webDir, file)
    if (!existsSync(path)) return undefined
    const builtAt = statSync(path).mtimeMs
    const known = pages.get(file)
    if (known?.builtAt === builtAt) return known
    const html = Buffer.from(compose(readFileSync(path, 'utf8')))
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    const page = { builtAt, html, gzipped: gzipSync(html), etag }
    pages.set(file, page)
    return page
  }

  function send(page: Page | undefined, vary: string, request: FastifyRequest, reply: FastifyReply): boolean {
    if (page === undefined) return false
    reply.headers({ 'cache-control': 'no-cache', vary, etag: page.etag })
    if (request.headers['if-none-match'] === page.etag) {
      reply.code(304).send()
      return true
    }
    const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (acceptsGzip) reply.header('content-encoding', 'gzip')
    reply.type('text/html; charset=utf-8').send(acceptsGzip ? page.gzipped : page.html)
    return true
  }

  return {
    /** Sends the page rendered at build time (decision 024): readable before any script has run. */
    sendLanding(request: FastifyRequest, reply: FastifyReply): boolean {
      const language = languageOf(request)
      const tags = publicUrl === undefined ? '' : `  ${addressTags(publicUrl, language)}\n  `
      const page = load(`rendered/landing.${language}.html`, (built) =>
        withRetention(built.replace('</head>', `${tags}</head>`), retention, language),
      )
      return send(page, 'Accept-Language, Accept-Encoding', request, reply)
    },
    /** Sends index.html, for every route of the client's router. */
    sendShell(request: FastifyRequest, reply: FastifyReply): boolean {
      const page = load('index.html', (built) => withRetention(built, retention, 'en'))
      return send(page, 'Accept-Encoding', request, reply)
    },
  }
}

/** Lets search engines read the landing page, but no data. */
export function robotsText(publicUrl: string | undefined): string {
  const rules = ['User-agent: *', 'Disallow: /api/', 'Disallow: /objects/']
  return [...rules, ...(publicUrl === undefined ? [] : ['', `Sitemap: ${publicUrl}/sitemap.xml`]), ''].join('\n')
}

/** Lists the public pages, for a server that knows its public address. */
export function sitemap(publicUrl: string): string {
  const pages = ['/', '/terms', '/privacy', '/threat-model']
  const rows = pages.map((path) => `  <url><loc>${escapeHtml(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</urlset>\n`
}
