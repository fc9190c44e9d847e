/** Values within columns of structs, as columns of their own. */
@NullMarked
package org.hadoopmpsr.columnar.path;

import org.jspecify.annotations.NullMarked;
