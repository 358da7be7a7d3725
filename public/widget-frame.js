// Sends the content's height to the embedding page: not a secret, so any origin may receive it.
const sendHeight = () => {
  const lonjaHeight = Math.ceil(document.body.getBoundingClientRect().height)
  if (parent !== window && lonjaHeight > 0) parent.postMessage({ lonjaHeight }, '*')
}
new ResizeObserver(sendHeight).observe(document.body)
addEventListener('load', sendHeight)
