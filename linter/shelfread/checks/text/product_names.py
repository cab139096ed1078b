"""Names with one official spelling, and their usual misspellings.

Only unambiguous names are listed: no commands, no words of a language, no names of two things (`Latex` is a material,
`Go` a verb, and npm's owners write it in three ways). A lower-case spelling is listed if it is no command either.
"""

from __future__ import annotations

from functools import cache

_MISSPELLINGS = """
    ActionScript: Actionscript; Airbnb: AirBnB AirBnb; AngularJS: AngularJs Angularjs; AppleScript: Applescript
    Backbone.js: BackboneJS BackboneJs; BibTeX: Bibtex BibTex; Bitbucket: BitBucket; BitTorrent: Bittorrent
    CentOS: Centos CentOs; ChatGPT: ChatGpt Chatgpt; CircleCI: CircleCi Circleci; ClickHouse: Clickhouse
    CloudFormation: Cloudformation; Cloudflare: CloudFlare; CodePen: Codepen; CoffeeScript: Coffeescript
    CouchDB: CouchDb Couchdb; CPython: Cpython; DeepMind: Deepmind; DevOps: Devops devOps
    DigitalOcean: Digitalocean; Dropbox: DropBox; DuckDuckGo: DuckDuckgo Duckduckgo; DynamoDB: DynamoDb Dynamodb
    eBay: EBay Ebay; ECMAScript: EcmaScript Ecmascript; Elasticsearch: ElasticSearch; Ember.js: EmberJS EmberJs
    Facebook: FaceBook; Firefox: FireFox; FreeBSD: FreeBsd Freebsd; GitHub: Github GitHUb GithuB GIthub github
    GitLab: Gitlab gitlab; Gmail: GMail; GraphQL: GraphQl Graphql; gRPC: Grpc GRpc; HashiCorp: Hashicorp
    HubSpot: Hubspot; InfluxDB: InfluxDb Influxdb; IntelliJ: Intellij; iOS: IOS Ios; iPad: IPad Ipad
    iPadOS: IpadOS iPadOs; iPhone: IPhone Iphone; IPython: Ipython; JavaFX: JavaFx Javafx
    JavaScript: Javascript javascript javaScript JavaSCript; JetBrains: Jetbrains; jQuery: JQuery Jquery JQUery
    Kubernetes: kubernetes KuberNetes; LangChain: Langchain; LibreOffice: Libreoffice; LightGBM: LightGbm Lightgbm
    LinkedIn: Linkedin LinkedIN linkedin; Linux: linux; LlamaIndex: Llamaindex; macOS: MacOS MacOs Macos macOs MACOS
    MariaDB: MariaDb Mariadb; Markdown: MarkDown; MongoDB: MongoDb Mongodb; MySQL: MySql Mysql mySQL mySql
    NetBSD: NetBsd Netbsd; Next.js: NextJS NextJs Nextjs; Node.js: NodeJS NodeJs Nodejs nodeJS nodeJs
    NumPy: Numpy NumPY; OAuth: Oauth oAuth; OpenAI: OpenAi Openai; OpenAPI: OpenApi Openapi; OpenBSD: OpenBsd Openbsd
    OpenCV: OpenCv Opencv; OpenGL: OpenGl Opengl; OpenShift: Openshift; OpenSSL: OpenSsl Openssl
    OpenStack: Openstack; OpenStreetMap: OpenStreetmap Openstreetmap; openSUSE: OpenSUSE OpenSuse Opensuse
    OpenTelemetry: Opentelemetry; PayPal: Paypal; Photoshop: PhotoShop; PlayStation: Playstation; PostCSS: PostCss
    PostgreSQL: Postgresql PostgreSql PostGreSQL PostgresSQL PostgresQL PostGresSQL postgresql; PowerShell: Powershell
    PyCharm: Pycharm; PyPI: PyPi Pypi; PyTorch: Pytorch pyTorch; RabbitMQ: RabbitMq Rabbitmq; RubyGems: Rubygems
    SciPy: Scipy; SoundCloud: Soundcloud; SourceForge: Sourceforge; SQLite: Sqlite SQLlite; TensorFlow: Tensorflow
    Three.js: ThreeJS ThreeJs; TikTok: Tiktok; TypeScript: Typescript typescript typeScript; VirtualBox: Virtualbox
    VMware: VMWare Vmware VmWare; Vue.js: VueJS VueJs Vuejs; watchOS: WatchOS; WebAssembly: Webassembly
    WebGL: WebGl Webgl; WebRTC: WebRtc Webrtc; WhatsApp: Whatsapp; Wikipedia: WikiPedia
    WordPress: Wordpress wordpress wordPress; XGBoost: XGboost Xgboost; YouTube: Youtube YouTUbe youtube youTube
    ZeroMQ: ZeroMq Zeromq
"""


@cache
def misspellings() -> dict[str, str]:
    """Return the right name for each misspelling."""
    found = {}
    for entry in _MISSPELLINGS.replace("\n", ";").split(";"):
        right, _, wrong = entry.strip().partition(": ")
        found.update(dict.fromkeys(wrong.split(), right))
    return found


@cache
def names() -> frozenset[str]:
    """Return all names and misspellings in lower case."""
    return frozenset(word.casefold() for pair in misspellings().items() for word in pair)
