/** Who maintains the cluster, which maintenance task runs next, and what is known of the last runs. */
package org.hadoopmpsr.core.maintain;
