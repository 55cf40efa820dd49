# SPDX-License-Identifier: MIT
#
# The exercises of `weir exercise`, a folder each; docs/exercises.md says what is in it.
# A new exercise is a name in this list.

exercises = \
	aba \
	barrier-in-branch \
	bounded-counter \
	collective-in-branch \
	cuda-block-sum \
	cuda-edge-barrier \
	cuda-last-block \
	cuda-narrow-flag \
	cuda-warp-sum \
	device-barrier \
	double-check \
	early-return \
	group-edge \
	histogram-merge \
	histogram-zeroing \
	ignored-exchange \
	implicit-lockstep \
	last-group \
	local-garbage \
	loop-end-barrier \
	missing-barrier \
	narrow-scope \
	odd-tree \
	plain-counter \
	plain-look \
	relaxed-flag \
	relaxed-queue \
	relaxed-unlock \
	rounded-range \
	scan-in-place \
	shuffle-edge \
	sort-edge \
	store-buffering \
	sub-group-size \
	ticket-lock \
	trip-count \
	volatile-flag \
	waiting-groups \
	wrong-dimension \
	wrong-flag

# Those with a kernel.cu are in CUDA. N is the ending of their sources.
exercise_files = kernel.N judge.N solutions/1.N solutions/2.N solutions/3.N \
	misses/1.N misses/2.N misses/3.N misses/4.N misses/5.N

# copy_exercises(FOLDER): from the sources, with what is beyond the least number of files.
copy_exercises = \
	for name in $(exercises); do \
	  end=c; test ! -f $(srcdir)/%D%/$$name/kernel.cu || end=cu; \
	  for file in $(exercise_files:.N=.$$end) exercise.ini $$name.h; do \
	    test -f $(srcdir)/%D%/$$name/$$file || { echo "no $$name/$$file" >&2; exit 1; }; \
	  done; \
	  $(MKDIR_P) "$$to/$$name/solutions" "$$to/$$name/misses" || exit 1; \
	  (cd $(srcdir)/%D%/$$name && cp exercise.ini kernel.$$end judge.$$end $$name.h "$$to/$$name" \
	    && cp solutions/*.$$end "$$to/$$name/solutions" \
	    && cp misses/*.$$end "$$to/$$name/misses") \
	    || exit 1; \
	done

dist-hook:
	$(AM_V_at)to='$(abs_builddir)/$(distdir)/%D%'; case '$(distdir)' in /*) to='$(distdir)/%D%';; esac; \
	  $(copy_exercises); find "$$to" -type f -exec chmod u+w {} +

exercisesdir = $(pkgdatadir)/exercises
dist_exercises_DATA = %D%/judge.h %D%/judge.cuh
install-data-local:
	$(AM_V_at)case '$(DESTDIR)$(exercisesdir)' in \
	  /*) to='$(DESTDIR)$(exercisesdir)';; *) to=`pwd`'/$(DESTDIR)$(exercisesdir)';; esac; \
	  $(copy_exercises); chmod -R u+w,a+rX "$$to"
uninstall-local:
	$(AM_V_at)for name in $(exercises); do \
	  rm -rf '$(DESTDIR)$(exercisesdir)'/$$name; \
	done
