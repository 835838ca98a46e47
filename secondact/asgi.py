"""The ASGI application: health first, then static files, then Django for HTTP and Channels for WebSockets."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
# Before the imports below: they need the apps.
_http = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from pipeline.routing import websocket_urlpatterns  # noqa: E402
from secondact.head_requests import NoBodyForHead  # noqa: E402
from secondact.health import HealthAddresses  # noqa: E402
from secondact.origins import OwnOrigins  # noqa: E402
from secondact.static_files import StaticFiles  # noqa: E402

application = NoBodyForHead(
    HealthAddresses(
        ProtocolTypeRouter(
            {
                "http": StaticFiles(_http),
                "websocket": OwnOrigins(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
            }
        )
    )
)
