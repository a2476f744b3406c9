// Names of variables that quantifiers bind.
#pragma once

#include "lang/mln/syntax.h"

namespace sorites::markov {

// The same formula in which every quantifier binds variables of its own: where a name stands for
// two of them, the later ones are numbered (x, x2, x3).
Expression rename_variables(const FormulaSyntax& formula);

}  // namespace sorites::markov
