import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The languages that the landing page is built in; the first is what anybody else gets. */
const languages = ['en', 'de'] as const
type Language = (typeof languages)[number]

const isLanguage = (value: unknown): value is Language => (languages as readonly unknown[]).includes(value)

/** What a link asked for (?language=de), or what the browser prefers of what there is. */
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
  return isLanguage(preferred) ? preferred : 'en'
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** What only a server that knows its public address can say of the landing page. */
function addressTags(origin: string, language: Language): string {
  const address = (each: Language) => escape(each === 'en' ? `${origin}/` : `${origin}/?language=${each}`)
  return [
    `<link rel="canonical" href="${address(language)}" />`,
    ...languages.map((each) => `<link rel="alternate" hreflang="${each}" href="${address(each)}" />`),
    `<meta property="og:url" content="${address(language)}" />`,
  ].join('\n    ')
}

interface Page {
  builtAt: number
  html: Buffer
  packed: Buffer
  etag: string
}

/**
 * The landing page as it was rendered at build time (docs/decisions/016): readable before any script has run.
 * Answers whether it was sent; a client built without it has none.
 */
export function createLandingPage(webDir: string, publicUrl: string | undefined) {
  const pages = new Map<Language, Page>()

  function load(language: Language): Page | undefined {
    const file = join(webDir, 'rendered', `landing.${language}.html`)
    if (!existsSync(file)) return undefined
    const builtAt = statSync(file).mtimeMs
    const known = pages.get(language)
    if (known?.builtAt === builtAt) return known
    const built = readFileSync(file, 'utf8')
    const tags = publicUrl === undefined ? '' : `  ${addressTags(publicUrl, language)}\n  `
    const html = Buffer.from(built.replace('</head>', `${tags}</head>`))
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    const page = { builtAt, html, packed: gzipSync(html), etag }
    pages.set(language, page)
    return page
  }

  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const page = load(languageOf(request))
    if (page === undefined) return false
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Language, Accept-Encoding', etag: page.etag })
    if (request.headers['if-none-match'] === page.etag) {
      reply.code(304).send()
      return true
    }
    const packs = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (packs) reply.header('content-encoding', 'gzip')
    reply.type('text/html; charset=utf-8').send(packs ? page.packed : page.html)
    return true
  }
}

/** What search engines may read: the landing page, and nothing that is data. */
export function robotsText(publicUrl: string | undefined): string {
  const rules = ['User-agent: *', 'Disallow: /api/', 'Disallow: /objects/']
  return [...rules, ...(publicUrl === undefined ? [] : ['', `Sitemap: ${publicUrl}/sitemap.xml`]), ''].join('\n')
}

/** The public pages, where their address is known. */
export function sitemap(publicUrl: string): string {
  const pages = ['/', '/terms', '/privacy', '/threat-model']
  const rows = pages.map((path) => `  <url><loc>${escape(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</urlset>\n`
}
