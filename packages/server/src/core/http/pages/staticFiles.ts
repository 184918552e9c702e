import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Config } from '../../config/types.ts'
import { sendError } from '../errorHandler.ts'
import { isDataPath, permissionsPolicy } from '../securityHeaders.ts'
import { createPages, robotsText, sitemap } from './landingPage.ts'

const notBuilt =
  'The web client is not built yet. Run "npm start" (or "npm run build") in the project folder, then load this page again.'

/** The part of an address that the router has decoded; what follows may be no percent-encoding. */
const pathOf = (url: string) => url.split(/[?#]/)[0] as string

/** Whether a path is under /assets or has an extension; pages have neither. */
const isFile = (url: string) => /^\/assets(?:\/|$)|\.\w+$/.test(decodeURIComponent(pathOf(url)))

/** Whether a path is that of a source map, also a compressed one. */
const isSourceMap = (path: string) => /\.map(\.\w+)?$/i.test(path)

const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  !isDataPath(url) &&
  !isFile(url) &&
  (headers.accept ?? '').includes('text/html')

const isFounderPath = (url: string) => /^\/founder(?:[/?]|$)/.test(url)

/** Returns the usual spelling of a founder address that is spelt differently, as /%66ounder is. */
function usualFounderUrl(url: string): string | undefined {
  const path = pathOf(url)
  const decoded = decodeURIComponent(path)
  return isFounderPath(decoded) ? encodeURI(decoded) + url.slice(path.length) : undefined
}

/**
 * Serves the built web client: hashed assets cached for ever, / as the prerendered landing page, addresses under
 * /founder as founder.html, every other page as index.html for its router.
 */
export async function serveWeb(
  app: FastifyInstance,
  config: Pick<Config, 'webDir' | 'publicUrl' | 'retention'>,
): Promise<void> {
  const { webDir, publicUrl } = config
  const pages = createPages(config)
  await app.register(fastifyStatic, {
    root: webDir,
    // The plugin's own route lists every folder of a path for each file, for case-insensitive file systems.
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    index: false,
    cacheControl: false,
    // Notes of the build for its own use.
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      const hashed = path.startsWith(join(webDir, 'assets'))
      const isConsole = path === join(webDir, 'founder.html')
      if (isConsole) reply.header('permissions-policy', permissionsPolicy(''))
      const page = isConsole ? 'no-store' : 'no-cache'
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : page)
    },
  })

  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler(request, reply) {
      const path = request.params['*']
      // A file name holds no slash, so an encoded slash leads to no file, and one at the end to a folder. Source maps
      // are for developers: a build that was made with them serves none.
      if (/^[^?]*%2f/i.test(request.url) || path.endsWith('/') || isSourceMap(path)) reply.callNotFound()
      // Do not await sendFile: for a missing file it settles only after the 404 handler has run.
      else void reply.sendFile(`/${path}`)
    },
  })

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (pages.sendShell(request, reply)) return reply
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  }

  /** The founder's console is an application of its own, and its page is never cached. */
  async function sendFounderPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!existsSync(join(webDir, 'founder.html'))) return sendPage(request, reply)
    reply.header('x-robots-tag', 'noindex, nofollow')
    return reply.sendFile('founder.html')
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (request, reply) => (pages.sendLanding(request, reply) ? reply : sendPage(request, reply)),
  })
  app.get('/robots.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsText(publicUrl)))
  if (publicUrl !== undefined)
    app.get('/sitemap.xml', async (_request, reply) =>
      reply.type('application/xml; charset=utf-8').send(sitemap(publicUrl)),
    )
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) {
      if (isFounderPath(request.url)) return sendFounderPage(request, reply)
      // Otherwise it would get the members' page, and code that goes by the address would treat it as one of theirs.
      const usual = usualFounderUrl(request.url)
      return usual === undefined
        ? sendPage(request, reply)
        : reply.header('cache-control', 'no-store').redirect(usual, 308)
    }
    return sendError(new AppError('NOT_FOUND'), request, reply)
  })
}
