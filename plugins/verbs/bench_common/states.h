/* SPDX-License-Identifier: Apache-2.0
 *
 * The state machines of the benchmark, as tables: the buffer pair of a bulk client, the buffer of a bulk
 * server, and the node that the console commands. What is not in a table is forbidden.
 */
#ifndef RECKON_BENCH_STATES_H
#define RECKON_BENCH_STATES_H

/* ---- a bulk client's buffer pair: one buffer to be pulled, one to be pushed into ---- */

enum client_state {
    CLIENT_UNUSED,
    CLIENT_QUEUED,   /* its buffers are ready to be pulled and pushed */
    CLIENT_BD_SENT,  /* its descriptor is on the way to the server */
    CLIENT_CB_LEFT2, /* two of three completions are left: descriptor sent, buffer pulled, buffer pushed */
    CLIENT_CB_LEFT1,
    CLIENT_TRANSFERRED, /* all three came */
    CLIENT_FAILED2,     /* something failed; two completions are left */
    CLIENT_FAILED1,
    CLIENT_FAILED,
    CLIENT_STATES
};
enum client_event {
    CLIENT_QUEUE,             /* taken for a transfer */
    CLIENT_DESCRIBE,          /* its descriptor is handed to the transport */
    CLIENT_NO_SEND_BUFFER,    /* could not be made ready to be pulled */
    CLIENT_NO_RECEIVE_BUFFER, /* could not be made ready to be pushed into */
    CLIENT_NO_DESCRIPTOR,     /* the descriptor could not be made or handed over */
    CLIENT_DONE,              /* a completion */
    CLIENT_ERROR,             /* a completion that says it failed */
    CLIENT_RELEASE,           /* counted, and free again */
    CLIENT_EVENTS
};

/* ---- a bulk server's buffer ---- */

enum server_state {
    SERVER_UNUSED,
    SERVER_BD_RECEIVED,
    SERVER_RECEIVING,
    SERVER_SENDING,
    SERVER_TRANSFERRED,
    SERVER_FAILED,
    SERVER_BADMSG,
    SERVER_STATES
};
enum server_event {
    SERVER_DESCRIPTOR, /* a descriptor came for it */
    SERVER_NONSENSE,   /* which holds invalid data */
    SERVER_PULL,       /* pulling begins */
    SERVER_PULLED,     /* all of it is here; pushing begins */
    SERVER_PUSHED,     /* all of it is back at the client */
    SERVER_ERROR,
    SERVER_RELEASE,
    SERVER_EVENTS
};

/* ---- a node ---- */

enum node_state {
    NODE_IDLE,
    NODE_READY, /* everything a test needs exists */
    NODE_RUNNING,
    NODE_STOPPED, /* sends no more test messages, still answers them */
    NODE_CLOSED,  /* the books are closed: neither sends nor answers */
    NODE_STATES
};
enum node_event {
    NODE_INIT,
    NODE_START,
    NODE_STATUS,
    NODE_STOP,
    NODE_CLOSE, /* STOP with what each client offered */
    NODE_STOP_DONE,
    NODE_HANGUP, /* the console is gone */
    NODE_EVENTS
};

/* ---- the tables ---- */

#define MACHINE_MOST 16 /* states or events of a machine */
#define FORBIDDEN (-1)

struct machine {
    const char *name;
    int states, events;
    int initial;
    int starts, finishes; /* the states between which a transfer's time counts; FORBIDDEN: none */
    const char *state[MACHINE_MOST];
    const char *event[MACHINE_MOST];
    unsigned char next[MACHINE_MOST][MACHINE_MOST]; /* [state][event]: the next state + 1; 0: forbidden */
};
extern const struct machine bulk_client_machine, bulk_server_machine, node_machine;

/* The next state, or FORBIDDEN. */
static inline int machine_next(const struct machine *m, int state, int event) {
    return m->next[state][event] - 1;
}

#endif
