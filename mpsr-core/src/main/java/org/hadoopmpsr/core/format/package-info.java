/** The versions of what MPSR keeps in the namespace, and the refusal of versions that are not known. */
package org.hadoopmpsr.core.format;
