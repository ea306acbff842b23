/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout reader `containerlab`: a topology file NAME.clab.yml. Hosts are nodes of kind linux with one
 * neighbour, or those whose label `role` is host; the switch a host hangs on is its rack, and the switch's
 * links to other switches are its uplinks. Containerlab declares no speeds: they are labels, nic_gbps on
 * hosts and uplink_gbps on switches.
 */
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include <reckon/plugin.h>

/* Far more than any real topology needs, so that a made-up one is not looked at for hours. */
#define LARGEST ((size_t)8 << 20)
#define ANCHORS_MAX 1000
#define DEPTH_MAX 50
#define MEMBERS_MAX 100 /* of a mapping, but for `nodes`: those behind are not looked at */
#define MERGES_MAX 4    /* how deep `<<` is followed */
#define FAULTS_MOST 10  /* of links that are told one by one */
#define NONE RECKON_NONE

struct node {
    const char *name;
    yaml_node_t *settings; /* its mapping; NULL when it has none */
    const char *kind, *role, *mtu;
    uint32_t neighbour, neighbours; /* the first, and how many different ones: 2 for more */
    uint32_t place;                 /* in file order */
    bool host;
    uint32_t leaf;    /* of a host: the first switch it hangs on */
    uint32_t uplinks; /* of a switch: its links to others */
    uint32_t rack;    /* its element as a rack */
};

struct link {
    uint32_t end[2]; /* nodes, in order of name */
};

struct lab {
    struct reckon *r;
    struct reckon_layout *layout;
    const char *path;
    yaml_document_t document;
    yaml_node_t *topology;
    struct node *nodes; /* in order of name */
    struct link *links;
    size_t nnodes, nlinks, nodes_cap, links_cap;
    size_t faults; /* of links */
};

/* ---- YAML ---- */

static const char *text_of(const yaml_node_t *n) {
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static yaml_node_t *own_member(yaml_document_t *d, const yaml_node_t *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    const yaml_node_pair_t *p = map->data.mapping.pairs.start, *end = map->data.mapping.pairs.top;
    for (size_t i = 0; i < MEMBERS_MAX && p + i < end; i++) {
        const char *name = text_of(yaml_document_get_node(d, p[i].key));
        if (name && !strcmp(name, key))
            return yaml_document_get_node(d, p[i].value);
    }
    return NULL;
}

/* A member of a mapping, its own or merged into it. */
static yaml_node_t *member(struct lab *lab, const yaml_node_t *map, const char *key) {
    yaml_node_t *found = NULL;
    for (int i = 0; map && !found && i < MERGES_MAX; i++) {
        found = own_member(&lab->document, map, key);
        map = own_member(&lab->document, map, "<<");
    }
    return found;
}

static yaml_node_t *element_of(struct lab *lab, const yaml_node_t *list, size_t i) {
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return NULL;
    const yaml_node_item_t *at = list->data.sequence.items.start + i;
    return at < list->data.sequence.items.top ? yaml_document_get_node(&lab->document, *at) : NULL;
}

/* ---- what a node is given: by itself, its group, its kind, or all of them ---- */

static yaml_node_t *named(struct lab *lab, const char *table, const char *name) {
    return name ? member(lab, member(lab, lab->topology, table), name) : NULL;
}

/* A setting of the node, or, with `inside`, one of the settings in that mapping. */
static const char *given(struct lab *lab, const struct node *n, const char *inside, const char *key) {
    const char *group = text_of(member(lab, n->settings, "group"));
    yaml_node_t *from[] = {n->settings, named(lab, "groups", group), named(lab, "kinds", n->kind),
                           member(lab, lab->topology, "defaults")};
    const char *value = NULL;
    for (size_t i = 0; !value && i < sizeof from / sizeof *from; i++)
        value = text_of(member(lab, inside ? member(lab, from[i], inside) : from[i], key));
    return value;
}

static const char *label(struct lab *lab, const struct node *n, const char *key) {
    return given(lab, n, "labels", key);
}

/* ---- nodes and links ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static int by_place(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return (x->place > y->place) - (x->place < y->place);
}

static void read_nodes(struct lab *lab) {
    const yaml_node_t *all = member(lab, lab->topology, "nodes");
    if (!all || all->type != YAML_MAPPING_NODE)
        return;
    for (yaml_node_pair_t *p = all->data.mapping.pairs.start; p < all->data.mapping.pairs.top; p++) {
        const char *name = text_of(yaml_document_get_node(&lab->document, p->key));
        if (!name || !*name || !strcmp(name, "<<"))
            continue;
        struct node n = {
            .name = name, .neighbour = NONE, .leaf = NONE, .rack = NONE, .place = (uint32_t)lab->nnodes};
        n.settings = yaml_document_get_node(&lab->document, p->value);
        n.kind = given(lab, &n, NULL, "kind");
        n.role = label(lab, &n, "role");
        n.mtu = label(lab, &n, "mtu");
        lab->nodes = reckon_grow(lab->nodes, lab->nnodes, &lab->nodes_cap, sizeof *lab->nodes);
        lab->nodes[lab->nnodes++] = n;
    }
    if (lab->nnodes)
        qsort(lab->nodes, lab->nnodes, sizeof *lab->nodes, by_name);
}

/* One end of a link: "leaf1:e1-1", or a mapping with `node` and `interface`. */
struct end {
    const char *name; /* NULL: there is none */
    uint32_t node;    /* NONE: no node has the name */
    bool interface;
};

static struct end end_at(struct lab *lab, const yaml_node_t *endpoint) {
    const char *s = text_of(endpoint);
    size_t n = s ? strcspn(s, ":") : 0;
    struct end end = {.node = NONE};
    end.name = s ? reckon_strndup(lab->r, s, n) : text_of(member(lab, endpoint, "node"));
    end.interface = s ? s[n] && s[n + 1] : text_of(member(lab, endpoint, "interface")) != NULL;
    struct node wanted = {.name = end.name}, *found = NULL;
    if (end.name && lab->nnodes)
        found = bsearch(&wanted, lab->nodes, lab->nnodes, sizeof *lab->nodes, by_name);
    if (found)
        end.node = (uint32_t)(found - lab->nodes);
    return end;
}

/* Words that containerlab takes in a node's place: the other end is outside the lab. */
static bool is_outside(const struct end *end) {
    static const char *const words[] = {"host", "mgmt-net", "macvlan", "vxlan", "vxlan-stitch", "dummy"};
    for (size_t i = 0; end->name && end->node == NONE && i < sizeof words / sizeof *words; i++)
        if (!strcmp(end->name, words[i]))
            return true;
    return false;
}

static void note_link(struct lab *lab, const yaml_node_t *link, const char *what) {
    if (++lab->faults <= FAULTS_MOST)
        reckon_note(lab->r, "%s:%zu: %s", reckon_printable(lab->r, lab->path), link->start_mark.line + 1,
                    what);
}

/* Whether both ends are nodes of the lab; a link at fault is told of. */
static bool within_lab(struct lab *lab, const yaml_node_t *link, const yaml_node_t *ends,
                       const struct end end[2]) {
    const char *type = text_of(member(lab, link, "type"));
    if ((!ends && type && strcmp(type, "veth")) || is_outside(&end[0]) || is_outside(&end[1]))
        return false;
    if (!end[0].name || !end[1].name || element_of(lab, ends, 2)) {
        note_link(lab, link, "the link has not two endpoints, and is left out");
        return false;
    }
    for (int k = 0; k < 2; k++)
        if (end[k].node == NONE) {
            note_link(lab, link,
                      reckon_text(lab->r, "the link to %s is left out: there is no such node",
                                  reckon_printable(lab->r, end[k].name)));
            return false;
        }
    for (int k = 0; k < 2; k++)
        if (!end[k].interface)
            note_link(lab, link,
                      reckon_text(lab->r, "the link names no interface of %s; it counts all the same",
                                  reckon_printable(lab->r, end[k].name)));
    return true;
}

static void meet(struct node *n, uint32_t other) {
    if (n->neighbour == NONE)
        n->neighbour = other;
    if (!n->neighbours || n->neighbour != other)
        n->neighbours += n->neighbours < 2;
}

static void read_links(struct lab *lab) {
    const yaml_node_t *all = member(lab, lab->topology, "links"), *l;
    for (size_t i = 0; (l = element_of(lab, all, i)); i++) {
        const yaml_node_t *ends = member(lab, l, "endpoints");
        const struct end end[] = {end_at(lab, element_of(lab, ends, 0)),
                                  end_at(lab, element_of(lab, ends, 1))};
        struct link x = {{end[0].node, end[1].node}};
        if (!within_lab(lab, l, ends, end) || x.end[0] == x.end[1])
            continue;
        const char *mtu = text_of(member(lab, l, "mtu"));
        for (int k = 0; k < 2; k++) {
            struct node *n = &lab->nodes[x.end[k]];
            meet(n, x.end[!k]);
            n->mtu = n->mtu ? n->mtu : mtu;
        }
        lab->links = reckon_grow(lab->links, lab->nlinks, &lab->links_cap, sizeof *lab->links);
        lab->links[lab->nlinks++] = x;
    }
    if (lab->faults > FAULTS_MOST)
        reckon_note(lab->r, "%s: %zu more faults of links", reckon_printable(lab->r, lab->path),
                    lab->faults - FAULTS_MOST);
}

static void find_hosts(struct lab *lab) {
    for (size_t i = 0; i < lab->nnodes; i++) {
        struct node *n = &lab->nodes[i];
        n->host =
            n->role ? !strcmp(n->role, "host") : n->kind && !strcmp(n->kind, "linux") && n->neighbours == 1;
    }
}

/* What hangs on what. */
static void follow_links(struct lab *lab) {
    for (size_t i = 0; i < lab->nlinks; i++)
        for (int k = 0; k < 2; k++) {
            struct node *n = &lab->nodes[lab->links[i].end[k]];
            if (lab->nodes[lab->links[i].end[!k]].host)
                continue;
            if (n->host && n->leaf == NONE)
                n->leaf = lab->links[i].end[!k];
            n->uplinks += !n->host;
        }
}

/* ---- elements ---- */

static void set_labels(struct lab *lab, const struct node *n, uint32_t element, const char *const *keys) {
    for (; *keys; keys++) {
        const char *value = label(lab, n, *keys);
        if (value)
            reckon_element_set(lab->layout, element, *keys, value);
    }
}

/* The switch's element as a rack, new or known. */
static uint32_t rack_of(struct lab *lab, uint32_t node, uint32_t top) {
    static const char *const keys[] = {"uplink_gbps", "uplinks", NULL};
    struct node *n = &lab->nodes[node];
    if (n->rack != NONE)
        return n->rack;
    n->rack = reckon_element_add(lab->layout, top, "rack", n->name, 0);
    if (n->rack == NONE)
        return NONE;
    if (n->uplinks && label(lab, n, "uplink_gbps"))
        reckon_element_set(lab->layout, n->rack, "uplinks", reckon_text(lab->r, "%u", n->uplinks));
    set_labels(lab, n, n->rack, keys);
    return n->rack;
}

static int add_host(struct lab *lab, const struct node *n, uint32_t top) {
    static const char *const keys[] = {"nic_gbps", "nic_mpps", NULL};
    uint32_t parent = n->leaf == NONE ? top : rack_of(lab, n->leaf, top);
    uint32_t element = parent == NONE ? NONE : reckon_element_add(lab->layout, parent, "host", n->name, 0);
    if (element == NONE)
        return -1;
    set_labels(lab, n, element, keys);
    if (n->mtu)
        reckon_element_set(lab->layout, element, "mtu", n->mtu);
    return 0;
}

/* The hosts in the order of the file. */
static int add_elements(struct lab *lab, const char *name) {
    struct node **hosts = reckon_resize(NULL, lab->nnodes + 1, sizeof *hosts);
    uint32_t top = reckon_element_add(lab->layout, NONE, "lab", name ? name : "lab", 0);
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; i < lab->nnodes; i++)
        if (lab->nodes[i].host)
            hosts[n++] = &lab->nodes[i];
    qsort(hosts, n, sizeof *hosts, by_place);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_host(lab, hosts[i], top);
    free(hosts);
    return n ? rc
             : reckon_error(lab->r, lab->path, 0,
                            "no node is a host: of kind linux with one neighbour, or with the "
                            "label `role: host`");
}

/* ---- the module ---- */

static int bad_yaml(const struct lab *lab, const yaml_parser_t *parser) {
    return reckon_error(lab->r, lab->path, parser->problem_mark.line + 1, "this is no YAML: %s",
                        parser->problem ? parser->problem : "it cannot be read");
}

static bool has_anchor(const yaml_event_t *e) {
    return (e->type == YAML_SCALAR_EVENT && e->data.scalar.anchor) ||
           (e->type == YAML_SEQUENCE_START_EVENT && e->data.sequence_start.anchor) ||
           (e->type == YAML_MAPPING_START_EVENT && e->data.mapping_start.anchor);
}

/* Looks at the events of the document before it is built: libyaml takes time with the square of both counts.
 */
static int check_events(const struct lab *lab, yaml_parser_t *parser) {
    size_t depth = 0, anchors = 0;
    for (bool more = true; more;) {
        yaml_event_t e;
        if (!yaml_parser_parse(parser, &e))
            return bad_yaml(lab, parser);
        depth += e.type == YAML_SEQUENCE_START_EVENT || e.type == YAML_MAPPING_START_EVENT;
        depth -= e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT;
        anchors += has_anchor(&e);
        more = e.type != YAML_DOCUMENT_END_EVENT && e.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
        if (depth > DEPTH_MAX || anchors > ANCHORS_MAX)
            return reckon_error(lab->r, lab->path, parser->mark.line + 1,
                                "nested deeper than %d, or more than %d anchors", DEPTH_MAX, ANCHORS_MAX);
    }
    return 0;
}

static int build(struct lab *lab, yaml_parser_t *parser) {
    return yaml_parser_load(parser, &lab->document) ? 0 : bad_yaml(lab, parser);
}

static int with_parser(struct lab *lab, const char *text, size_t length, bool whole) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return reckon_error(lab->r, lab->path, 0, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    int rc = whole ? build(lab, &parser) : check_events(lab, &parser);
    yaml_parser_delete(&parser);
    return rc;
}

static int read_lab(struct lab *lab) {
    yaml_node_t *root = yaml_document_get_root_node(&lab->document);
    lab->topology = member(lab, root, "topology");
    if (!lab->topology)
        return reckon_wrong_format(lab->r, lab->path, "not a containerlab topology: it has no `topology`");
    read_nodes(lab);
    if (!lab->nnodes)
        return reckon_error(lab->r, lab->path, 0, "the topology has no nodes");
    read_links(lab);
    find_hosts(lab);
    follow_links(lab);
    return add_elements(lab, text_of(member(lab, root, "name")));
}

static int read_layout(struct reckon *r, struct reckon_input *in, struct reckon_layout *layout) {
    struct lab lab = {.r = r, .layout = layout, .path = reckon_input_path(in)};
    size_t length;
    char *text = reckon_read_all(in, LARGEST, &length);
    if (!text)
        return -1;
    int rc = with_parser(&lab, text, length, false) || with_parser(&lab, text, length, true) ? -1 : 0;
    if (!rc) {
        rc = read_lab(&lab);
        yaml_document_delete(&lab.document);
    }
    free(lab.nodes);
    free(lab.links);
    free(text);
    return rc;
}

/* A line that begins with `topology:`, and one with `nodes:` below it. */
static int recognise(const struct reckon_head *head) {
    static const char topology[] = "topology:";
    const char *at = head->data;
    while (at && strncmp(at, topology, sizeof topology - 1)) {
        at = strchr(at, '\n');
        if (at)
            at++;
    }
    return at && strstr(at, "nodes:") ? 85 : 0;
}

RECKON_PLUGIN(layout, containerlab) = {
    .name = "containerlab",
    .summary = "a containerlab topology: hosts, the switches they hang on, speeds from labels",
    .layout = {.recognise = recognise, .read = read_layout},
};
