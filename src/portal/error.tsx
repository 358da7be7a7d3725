import { useVisit } from './context.ts'

export function ErrorScreen(props: { status: number; message: string | undefined; requestId: string }) {
  const { t, agent } = useVisit()
  const { status, message, requestId } = props
  const usual =
    status === 404
      ? t('Aquí no hay nada, o no es tuyo.', 'There is nothing here, or it is not yours.')
      : status === 413
        ? t('Lo que enviaste es demasiado grande.', 'What you sent is too large.')
        : status >= 500
          ? t(
              'Fue una falla nuestra. Inténtalo en un momento.',
              'A fault on our side. Try again in a moment.',
            )
          : t('No pudimos hacer eso.', 'We could not do that.')
  return (
    <div class="flex flex-col items-start gap-4">
      <p class="text-lg">{message ?? usual}</p>
      {status >= 500 && (
        <p class="text-sm text-base-content/70">
          {t('Si sigue, dinos este número:', 'If it persists, tell us this number:')} <code>{requestId}</code>
        </p>
      )}
      <a class="btn btn-primary" href={agent ? '/portal' : '/portal/sign-in'}>
        {agent ? t('Ir al inicio', 'Go home') : t('Iniciar sesión', 'Sign in')}
      </a>
    </div>
  )
}
