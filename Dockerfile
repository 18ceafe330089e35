# The service of docs/use/serve.md: small, not root, nothing written.
# docker build -t gender-fair . && docker run --rm --read-only -p 127.0.0.1:8000:8000 gender-fair
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt '.[serve]'

FROM python:3.12-slim
RUN useradd --system --no-create-home --uid 10001 rewriter
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1
USER rewriter
WORKDIR /
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", \
 "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# inside a container every address is the container's own; who reaches it is decided where its port is published
ENTRYPOINT ["gender-fair", "serve", "--host", "0.0.0.0"]
