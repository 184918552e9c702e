import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@privity/contract/errors'
import type { Config } from '../../config/config.ts'
import { sendError } from '../errorHandler.ts'
import { isData } from '../securityHeaders.ts'
import { createPages, robotsText, sitemap } from './landingPage.ts'

const notBuilt =
  'The web client is not built yet. Run "npm start" (or "npm run build") in the project folder, then load this page again.'

/** A path under /assets, or with an extension; pages have neither. */
const isFile = (url: string) => /^\/assets(?:\/|$)|\.\w+$/.test(decodeURIComponent(url.split('?')[0] as string))

/** A source map, a compressed one too. */
const isSourceMap = (path: string) => /\.map(\.\w+)?$/i.test(path)

const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  !isData(url) &&
  !isFile(url) &&
  (headers.accept ?? '').includes('text/html')

const isFounders = (url: string) => /^\/founder(?:[/?]|$)/.test(url)

/** The usual spelling of an address of the founder's that is spelt another way, as /%66ounder is. */
function foundersAs(url: string): string | undefined {
  const [path = '', ...query] = url.split('?')
  const decoded = decodeURIComponent(path)
  return isFounders(decoded) ? [encodeURI(decoded), ...query].join('?') : undefined
}

/**
 * Serves the built web client: hashed assets for ever, / as the landing page that the build rendered, what is
 * under /founder as founder.html, every other page as index.html for its router.
 */
export async function serveWeb(
  app: FastifyInstance,
  config: Pick<Config, 'webDir' | 'publicUrl' | 'retention'>,
): Promise<void> {
  const { webDir, publicUrl } = config
  const pages = createPages(config)
  await app.register(fastifyStatic, {
    root: webDir,
    // Its own route lists every folder of a path, for each file that it sends: where a file system takes another case.
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    index: false,
    cacheControl: false,
    // What the build notes for itself.
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      const hashed = path.startsWith(join(webDir, 'assets'))
      const page = path === join(webDir, 'founder.html') ? 'no-store' : 'no-cache'
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : page)
    },
  })

  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler(request, reply) {
      // No name of a file has a slash: one that is spelt another way ends none of its folders.
      // Source maps are for developers: a build that was made with them gives none away.
      if (/^[^?]*%2f/i.test(request.url) || isSourceMap(request.params['*'])) reply.callNotFound()
      // What it answers is not waited for: where there is no such file, the answer that there is none waits for itself.
      else void reply.sendFile(`/${request.params['*']}`)
    },
  })

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (pages.sendShell(request, reply)) return reply
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  }

  /** The founder's console is an application of its own, and no copy of its page is kept anywhere. */
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
      if (isFounders(request.url)) return sendFounderPage(request, reply)
      // Else it would get the members' page, and what goes by the address would take it for one of theirs.
      const usual = foundersAs(request.url)
      return usual === undefined
        ? sendPage(request, reply)
        : reply.header('cache-control', 'no-store').redirect(usual, 308)
    }
    return sendError(new AppError('NOT_FOUND'), request, reply)
  })
}
