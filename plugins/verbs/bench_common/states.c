/* SPDX-License-Identifier: Apache-2.0
 *
 * The state machines as data. TO(x) is an edge to x; an edge that is not written is forbidden.
 */
#include "states.h"

#define TO(state) ((unsigned char)((state) + 1))

const struct machine bulk_client_machine = {
    .name = "bulk client",
    .states = CLIENT_STATES,
    .events = CLIENT_EVENTS,
    .initial = CLIENT_UNUSED,
    .starts = CLIENT_QUEUED,
    .finishes = CLIENT_TRANSFERRED,
    .state = {"UNUSED", "QUEUED", "BD_SENT", "CB_LEFT2", "CB_LEFT1", "TRANSFERRED", "FAILED2", "FAILED1",
              "FAILED"},
    .event = {"queue", "describe", "no send buffer", "no receive buffer", "no descriptor", "done", "error",
              "release"},
    .next = {[CLIENT_UNUSED] = {[CLIENT_QUEUE] = TO(CLIENT_QUEUED)},
             [CLIENT_QUEUED] = {[CLIENT_DESCRIBE] = TO(CLIENT_BD_SENT),
                                [CLIENT_NO_SEND_BUFFER] = TO(CLIENT_FAILED),
                                [CLIENT_NO_RECEIVE_BUFFER] = TO(CLIENT_FAILED1),
                                [CLIENT_NO_DESCRIPTOR] = TO(CLIENT_FAILED2)},
             [CLIENT_BD_SENT] = {[CLIENT_DONE] = TO(CLIENT_CB_LEFT2), [CLIENT_ERROR] = TO(CLIENT_FAILED2)},
             [CLIENT_CB_LEFT2] = {[CLIENT_DONE] = TO(CLIENT_CB_LEFT1), [CLIENT_ERROR] = TO(CLIENT_FAILED1)},
             [CLIENT_CB_LEFT1] = {[CLIENT_DONE] = TO(CLIENT_TRANSFERRED), [CLIENT_ERROR] = TO(CLIENT_FAILED)},
             [CLIENT_TRANSFERRED] = {[CLIENT_RELEASE] = TO(CLIENT_UNUSED)},
             [CLIENT_FAILED2] = {[CLIENT_DONE] = TO(CLIENT_FAILED1), [CLIENT_ERROR] = TO(CLIENT_FAILED1)},
             [CLIENT_FAILED1] = {[CLIENT_DONE] = TO(CLIENT_FAILED), [CLIENT_ERROR] = TO(CLIENT_FAILED)},
             [CLIENT_FAILED] = {[CLIENT_RELEASE] = TO(CLIENT_UNUSED)}},
};

const struct machine bulk_server_machine = {
    .name = "bulk server",
    .states = SERVER_STATES,
    .events = SERVER_EVENTS,
    .initial = SERVER_UNUSED,
    .starts = SERVER_RECEIVING,
    .finishes = SERVER_TRANSFERRED,
    .state = {"UNUSED", "BD_RECEIVED", "RECEIVING", "SENDING", "TRANSFERRED", "FAILED", "BADMSG"},
    .event = {"descriptor", "nonsense", "pull", "pulled", "pushed", "error", "release"},
    .next =
        {[SERVER_UNUSED] = {[SERVER_DESCRIPTOR] = TO(SERVER_BD_RECEIVED)},
         [SERVER_BD_RECEIVED] = {[SERVER_NONSENSE] = TO(SERVER_BADMSG), [SERVER_PULL] = TO(SERVER_RECEIVING)},
         [SERVER_RECEIVING] = {[SERVER_PULLED] = TO(SERVER_SENDING), [SERVER_ERROR] = TO(SERVER_FAILED)},
         [SERVER_SENDING] = {[SERVER_PUSHED] = TO(SERVER_TRANSFERRED), [SERVER_ERROR] = TO(SERVER_FAILED)},
         [SERVER_TRANSFERRED] = {[SERVER_RELEASE] = TO(SERVER_UNUSED)},
         [SERVER_FAILED] = {[SERVER_RELEASE] = TO(SERVER_UNUSED)},
         [SERVER_BADMSG] = {[SERVER_RELEASE] = TO(SERVER_UNUSED)}},
};

const struct machine node_machine = {
    .name = "node",
    .states = NODE_STATES,
    .events = NODE_EVENTS,
    .initial = NODE_IDLE,
    .starts = FORBIDDEN,
    .finishes = FORBIDDEN,
    .state = {"idle", "ready", "running", "stopped", "closed"},
    .event = {"INIT", "START", "STATUS", "STOP", "STOP with totals", "STOP_DONE", "hang-up"},
    .next = {[NODE_IDLE] = {[NODE_INIT] = TO(NODE_READY), [NODE_HANGUP] = TO(NODE_IDLE)},
             [NODE_READY] = {[NODE_START] = TO(NODE_RUNNING),
                             [NODE_STOP_DONE] = TO(NODE_IDLE),
                             [NODE_HANGUP] = TO(NODE_IDLE)},
             [NODE_RUNNING] = {[NODE_STATUS] = TO(NODE_RUNNING),
                               [NODE_STOP] = TO(NODE_STOPPED),
                               [NODE_STOP_DONE] = TO(NODE_IDLE),
                               [NODE_HANGUP] = TO(NODE_IDLE)},
             [NODE_STOPPED] = {[NODE_STATUS] = TO(NODE_STOPPED),
                               [NODE_CLOSE] = TO(NODE_CLOSED),
                               [NODE_STOP_DONE] = TO(NODE_IDLE),
                               [NODE_HANGUP] = TO(NODE_IDLE)},
             [NODE_CLOSED] = {[NODE_STATUS] = TO(NODE_CLOSED),
                              [NODE_STOP_DONE] = TO(NODE_IDLE),
                              [NODE_HANGUP] = TO(NODE_IDLE)}},
};
