# SPDX-License-Identifier: Apache-2.0
#
# RECKON_MODULE([MINIMUM-VERSION])
#
# For packages that build modules of reckon with automake and libtool. Finds reckon by pkg-config and sets
#
#   RECKON_CPPFLAGS    where its headers are
#   RECKON_LDFLAGS     how a module is linked
#   reckonmoduledir    where modules belong, for reckonmodule_LTLIBRARIES
#   RECKON             the program, for tests
#
# so that configure.ac needs LT_INIT([dlopen]) and RECKON_MODULE, and a Makefile.am
#
#   reckonmodule_LTLIBRARIES = rule_mine.la
#   rule_mine_la_SOURCES = rule_mine.c
#   rule_mine_la_CPPFLAGS = $(RECKON_CPPFLAGS)
#   rule_mine_la_LDFLAGS = $(RECKON_LDFLAGS)

AC_DEFUN([RECKON_MODULE], [
  AC_REQUIRE([PKG_PROG_PKG_CONFIG])
  AC_MSG_CHECKING([for reckon]m4_ifval([$1], [[ $1]]))
  AS_IF([$PKG_CONFIG --exists "reckon m4_ifval([$1], [>= $1])"],
    [AC_MSG_RESULT([ABI $($PKG_CONFIG --variable=abi reckon)])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([reckon]m4_ifval([$1], [[ $1]])[ is missing; with PKG_CONFIG_PATH say where its reckon.pc is])])
  RECKON_CPPFLAGS=$($PKG_CONFIG --cflags-only-I reckon)
  RECKON_LDFLAGS="-module -avoid-version -shared -export-symbols-regex ^reckon_plugin\$\$ -Wl,-z,now"
  RECKON=$($PKG_CONFIG --variable=program reckon)
  AC_ARG_WITH([reckonmoduledir], [AS_HELP_STRING([--with-reckonmoduledir=DIR], [where modules of reckon belong])],
    [reckonmoduledir=$withval], [reckonmoduledir=$($PKG_CONFIG --variable=moduledir reckon)])
  AC_SUBST([RECKON_CPPFLAGS])
  AC_SUBST([RECKON_LDFLAGS])
  AC_SUBST([RECKON])
  AC_SUBST([reckonmoduledir])
])
